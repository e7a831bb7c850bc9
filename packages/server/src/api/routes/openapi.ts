import { readFileSync } from 'node:fs'
import { described } from '../schemas/described.ts'
import { z } from 'zod'
import type { Endpoint, EndpointInput } from '../endpoint.ts'
import type { OpenApiDocument } from '../openapi.ts'

const openApi: z.ZodType<OpenApiDocument> = described('OpenApi', 'An OpenAPI 3.1 document.', {
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.looseObject({}),
  components: z.looseObject({}),
})

/** Describes the API. */
export const showOpenApi: Endpoint<'GET /api/openapi.json', EndpointInput, OpenApiDocument> = {
  name: 'GET /api/openapi.json',
  about: 'Describe this API as an OpenAPI document.',
  details: 'Open `/api/docs` in a browser to read it.',
  answers: {
    200: {
      about: 'The description.',
      schema: openApi,
    },
  },
  handle() {
    const text = readFileSync(new URL('../../../openapi.json', import.meta.url))
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  },
}
