import { readFileSync } from 'node:fs'
import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import * as routes from './routes/index.ts'

/** Describes every endpoint of this version. `npm run docs` writes it to openapi.json. */
export function describeApi(): OpenApiDocument {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return openApiDocument(routes, (JSON.parse(file) as { version: string }).version)
}
