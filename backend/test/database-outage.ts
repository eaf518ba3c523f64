import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A way to a database that can be cut, so that a test sees what an outage does. `url` leads through it. Where `swallows`
 * says so of a request, the database answers it and the answer never comes, nor any other on that connection.
 */
export async function interruptible(databaseUrl: string, swallows?: (request: Buffer) => boolean) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (request) => {
      if (swallows?.(request)) far.unpipe(near).resume()
    })
    near.pipe(far).pipe(near)
  })
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const interrupt = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { url: url.href, interrupt, restore: () => listen(port) }
}
