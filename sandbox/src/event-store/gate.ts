import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** What stands before a server's port, so that its network can fail: connections are passed on, held or reset. */
export class Gate {
  readonly #listener = net.createServer({ allowHalfOpen: false }, (socket) => this.#pass(socket))
  readonly #sockets = new Set<net.Socket>()
  readonly #target: number
  #isFrozen = false

  constructor(targetPort: number) {
    this.#target = targetPort
  }

  /** @throws the listening error. */
  async open(port: number): Promise<number> {
    this.#listener.listen(port, '127.0.0.1')
    await once(this.#listener, 'listening')
    return (this.#listener.address() as AddressInfo).port
  }

  /** Resets every connection and takes no new one. */
  async shut(): Promise<void> {
    const closed = once(this.#listener, 'close')
    this.#listener.close()
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }

  /** Connections are accepted and nothing goes through, not even a ping. */
  freeze() {
    this.#isFrozen = true
    for (const socket of this.#sockets) socket.pause()
  }

  thaw() {
    this.#isFrozen = false
    for (const socket of this.#sockets) socket.resume()
  }

  #pass(near: net.Socket) {
    const far = net.connect(this.#target, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      // The other side is closed with it, so an error needs no answer of its own.
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => other.write(chunk))
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
      if (this.#isFrozen) socket.pause()
    }
  }
}
