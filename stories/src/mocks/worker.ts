import { http, HttpResponse } from 'msw'
import { setupWorker } from 'msw/browser'

/** A call of the API that no mock answers is a mistake in a story, and fails it rather than reaching a server. */
const unanswered = http.all('*/v1/*', ({ request }) => {
  console.error(`No mock answers ${request.method} ${request.url}`)
  return HttpResponse.error()
})

/** Files and other hosts pass. */
export async function startWorker() {
  const worker = setupWorker(unanswered)
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
  return worker
}
