/**
 * `npm start`, `npm test` and the other commands begin here, with nothing but Node and npm on the machine: it
 * installs what the lockfile names, then goes on with the command on the pinned Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setInterval } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { identityOf, isRunning, takeLock } from './process-lock.mjs'

const oldestNode = 20
const commands = ['start', 'dev', 'test', 'check', 'bench', 'credits', 'projections', 'event-store', 'doctor']
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const modules = path.join(root, 'node_modules')
const stamp = path.join(modules, '.earmark-installed')
const pinnedNode = path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const leave = (message) => {
  console.error(message)
  process.exit(1)
}

const lockfileHash = () =>
  createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')

const isInstalled = (hash) => existsSync(pinnedNode) && readIfThere(stamp) === hash

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** True where someone has run npm themselves: npm writes its own lockfile last, so what it names is there whole. */
const npmHasInstalled = () => {
  const installed = JSON.parse(readIfThere(path.join(modules, '.package-lock.json')) ?? '{}').packages
  if (!installed || !existsSync(pinnedNode)) return false
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([name, { version, integrity, optional, link }]) => {
    if (!name.includes('node_modules/') || link) return true
    const there = installed[name]
    return there ? there.version === version && there.integrity === integrity : optional === true
  })
}

const writeStamp = (hash) => {
  writeFileSync(`${stamp}.new`, hash)
  renameSync(`${stamp}.new`, stamp)
}

const install = async () => {
  let lock = takeLock(path.join(root, '.earmark', 'install.lock'))
  if ('heldBy' in lock) console.log(`Another install is under way (process ${lock.heldBy}); waiting for it.`)
  while ('heldBy' in lock) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    lock = takeLock(path.join(root, '.earmark', 'install.lock'))
  }
  try {
    const hash = lockfileHash()
    if (isInstalled(hash)) return
    if (!npmHasInstalled()) runNpm()
    if (!existsSync(pinnedNode)) {
      leave(
        'The pinned Node was not installed. Does npm block install scripts? See allowScripts in package.json.',
      )
    }
    writeStamp(hash)
  } finally {
    lock.release()
  }
}

const runNpm = () => {
  console.log('Installing dependencies from package-lock.json: a minute or two, once.')
  rmSync(stamp, { force: true })
  const startedAt = Date.now()
  const args = ['ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: root, stdio: 'inherit' }
  const { npm_execpath: npmScript } = process.env
  const { status, error } = npmScript?.endsWith('.js')
    ? spawnSync(process.execPath, [npmScript, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (status !== 0) {
    leave(
      `npm ci failed${error ? `: ${error.message}` : ', as it says above'}. Nothing was started; run this again to retry.`,
    )
  }
  console.log(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

const run = (command, args) => {
  const bin = path.join(modules, '.bin')
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
  const script = path.join(root, 'launcher', 'src', `${command}.ts`)
  // The fourth channel closes when this process ends, however it ends: so the command notices.
  const child = spawn(pinnedNode, [script, ...args], { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => leave(`The pinned Node could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  if (process.env.npm_lifecycle_event) followNpm(child)
}

/** Ends with npm, which cannot tell anybody when it is killed by force. */
const followNpm = (child) => {
  const npm = identityOf(npmProcess())
  setInterval(() => {
    if (!isRunning(npm)) child.kill('SIGTERM')
  }, 1000).unref()
}

// Between npm and us there may be a shell, which would outlive it.
const npmProcess = () => {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' })
  const [, above, name] = /^\s*(\d+)\s+(.*)$/.exec(stdout?.trim() ?? '') ?? []
  return /(^|\/)-?(da|ba|z)?sh$/.test(name ?? '') ? Number(above) : process.ppid
}

const [command = '', ...args] = process.argv.slice(2)
const major = Number(process.versions.node.split('.')[0])
if (major < oldestNode)
  leave(`Earmark needs Node ${oldestNode} or newer to start; this is ${process.version}.`)
if (!commands.includes(command)) leave(`Usage: node scripts/bootstrap.mjs ${commands.join('|')}`)
if (!isInstalled(lockfileHash())) await install()
run(command, args)
