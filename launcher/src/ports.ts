import net from 'node:net'

const loopback = '127.0.0.1'

const tryPort = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })

export const isPortFree = async (port: number, host = loopback): Promise<boolean> =>
  (await tryPort(port, host)) !== undefined

/** A port that nobody listens on: `preferred` where that is free. */
export const findFreePort = async (preferred?: number): Promise<number> => {
  const wanted = preferred === undefined ? undefined : await tryPort(preferred, loopback)
  const port = wanted ?? (await tryPort(0, loopback))
  if (port === undefined) throw new Error('This machine has no free port.')
  return port
}

/** The first free port from `first` on. */
export const nextFreePort = async (first: number, host: string): Promise<number> => {
  for (let port = first; port < first + 100; port += 1) {
    if (await isPortFree(port, host)) return port
  }
  throw new Error(`No port from ${first} to ${first + 99} is free.`)
}

/** True when something accepts connections there. */
export const isListening = (port: number, host = loopback): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect({ port, host, timeout: 1000 })
    const answer = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('timeout', () => answer(false))
  })
