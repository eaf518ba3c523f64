import type { IncomingMessage } from 'node:http'
import type { Fault } from './control/faults.ts'
import type { Reply } from './http/reply.ts'
import type { VendorName } from './vendor-name.ts'

export type VendorRequest = {
  method: string
  /** Absolute, on the sandbox's own address whatever the Host header says. */
  url: URL
  headers: IncomingMessage['headers']
  body: IncomingMessage
  /** The fault that this request met, for those that only the vendor itself can bring about. */
  fault: Fault | undefined
}

export type Vendor = {
  name: VendorName
  title: string
  /** What it stands in for, in a sentence for people. */
  description: string
  /** The beginnings of the paths it answers. */
  paths: readonly string[]
  methods: readonly string[]
  answer(request: VendorRequest): Reply | Promise<Reply>
  /** An error in the vendor's own shape. */
  failure(status: number, message: string): Reply
}
