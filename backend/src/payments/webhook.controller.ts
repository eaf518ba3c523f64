import { Controller, Headers, HttpCode, Post, type RawBodyRequest, Req } from '@nestjs/common'
import { CommandBus } from '@nestjs/cqrs'
import type { FastifyRequest } from 'fastify'
import { Public } from '../platform/http/access.ts'
import { ReceiveWebhook } from './receive-webhook/receive-webhook.handler.ts'

/** Where the card provider's messages arrive: its protocol, not ours, so it is no part of the contract. */
@Public()
@Controller('payments/webhook')
export class WebhookController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(200)
  async receive(
    @Req() request: RawBodyRequest<FastifyRequest>,
    @Headers('stripe-signature') signature = '',
  ): Promise<{ received: true }> {
    await this.commands.execute(new ReceiveWebhook(request.rawBody ?? Buffer.alloc(0), signature))
    return { received: true }
  }
}
