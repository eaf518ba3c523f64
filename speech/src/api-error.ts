/** An answer that is not a transcript, in OpenAI's error shape. The message is meant for a person. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | null
  readonly param: string | null
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    message: string,
    options: { code?: string; param?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = options.code ?? null
    this.param = options.param ?? null
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  /** https://platform.openai.com/docs/guides/error-codes */
  toBody() {
    return {
      error: {
        message: this.message,
        type: this.status < 500 ? 'invalid_request_error' : 'server_error',
        param: this.param,
        code: this.code,
      },
    }
  }
}
