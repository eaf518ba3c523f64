import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildIfChanged } from '@earmark/launcher/build'
import { openInstallation } from '@earmark/launcher/installation'

/** Builds what has changed, so that two products that start side by side do not both do it. */
export default async function buildProduct() {
  const folder = await mkdtemp(path.join(tmpdir(), 'earmark-build-'))
  const session = { installation: openInstallation(folder), say: console.log }
  await buildIfChanged('backend', session)
  await buildIfChanged('frontend', session)
  await rm(folder, { recursive: true })
}
