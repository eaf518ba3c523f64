import { answerParent } from '../child.ts'
import { openOurs } from '../ours.ts'

/** Keeps the credit history up to date, as the product's HTTP process does while its worker charges. */
const [url = ''] = process.argv.slice(2)
const ours = openOurs(url)
const stop = ours.startProjector()
answerParent(
  () => Promise.resolve(),
  async () => {
    await stop()
    await ours.close()
  },
)
