/** Who a process is, and locks that die with it. Node's built-ins alone: this runs before anything is installed. */
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * When a process was started, in words of its system; undefined where there is none by that id. With the id it
 * names one process for ever: ids are used again.
 * @param {number} pid
 */
export const startOf = (pid) => {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may hold anything, so the fields are counted from its end; the 20th is the start.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isZombie = fields[0] === 'Z' || fields[0] === 'X'
      return isZombie
        ? undefined
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return started.toString().trim() || undefined
  } catch {
    return undefined
  }
}

/** @param {number} pid */
export const identityOf = (pid) => ({ pid, startedAt: startOf(pid) })

/** @param {{ pid: number, startedAt?: string | undefined } | undefined} identity */
export const isRunning = (identity) =>
  identity !== undefined && identity.startedAt !== undefined && startOf(identity.pid) === identity.startedAt

/**
 * Takes the lock, or says which process has it. One whose owner has died is free.
 * @param {string} file
 */
export const takeLock = (file) => {
  mkdirSync(path.dirname(file), { recursive: true })
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify(identityOf(process.pid)))
  try {
    for (;;) {
      try {
        // A link is made whole or not at all: nobody ever reads half a lock.
        linkSync(own, file)
        return { release: () => rmSync(file, { force: true }) }
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      const owner = readOwner(file)
      if (isRunning(owner)) return { heldBy: owner.pid }
      dropStale(file)
    }
  } finally {
    rmSync(own, { force: true })
  }
}

const readOwner = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

// Another process may have dropped the stale lock and taken its own in between: that one is put back.
const dropStale = (file) => {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
    if (isRunning(readOwner(aside))) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  rmSync(aside, { force: true })
}
