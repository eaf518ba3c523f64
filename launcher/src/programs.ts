import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The first of these programs that the PATH has. */
export const findOnPath = (
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string | undefined => {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable)
}

export const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
