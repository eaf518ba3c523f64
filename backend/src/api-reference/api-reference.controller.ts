import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Controller, Get, Header, Inject } from '@nestjs/common'
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { apiBase, apiContract } from '@earmark/contracts/api'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { Public } from '../platform/http/access.ts'

const problemBody = {
  type: 'object',
  properties: { detail: { type: 'string' }, code: { type: 'string' }, details: { type: 'object' } },
  required: ['detail', 'code'],
}

/** The API's description, made from the contract, and a page to read it. */
@Public()
@Controller()
export class ApiReferenceController {
  #document: Promise<Record<string, unknown>> | undefined

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get('openapi.json')
  openApi() {
    this.#document ??= describeApi(this.config.http.publicUrl)
    return this.#document
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  page() {
    return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Earmark API</title>
<link rel="stylesheet" href="${apiBase}/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div>
<script src="${apiBase}/docs/swagger-ui-bundle.js"></script><script src="${apiBase}/docs/start.js"></script></body>
</html>`
  }

  @Get('docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start() {
    return `SwaggerUIBundle({ url: '${apiBase}/openapi.json', dom_id: '#swagger-ui' })`
  }

  @Get('docs/swagger-ui-bundle.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  script() {
    return readFile(swaggerFile('swagger-ui-bundle.js'), 'utf8')
  }

  @Get('docs/swagger-ui.css')
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  style() {
    return readFile(swaggerFile('swagger-ui.css'), 'utf8')
  }
}

function swaggerFile(name: string): string {
  return createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
}

async function describeApi(publicUrl: string): Promise<Record<string, unknown>> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const document = await generator.generate(apiContract, {
    info: {
      title: 'Earmark',
      version: '1',
      description: 'Find a podcast, turn an episode into a transcript. Paid from prepaid credits.',
    },
    servers: [{ url: `${publicUrl}${apiBase}` }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  })
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path ?? {})) {
      if (typeof operation !== 'object' || !('responses' in operation)) continue
      Object.assign(operation.responses, {
        default: {
          description: 'Anything but success',
          content: { 'application/json': { schema: problemBody } },
        },
      })
    }
  }
  return { ...document }
}
