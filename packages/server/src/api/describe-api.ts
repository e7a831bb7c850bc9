import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import * as routes from './routes/index.ts'
import { ownVersion } from '../version.ts'

/**
 * Describes every endpoint of this version. `npm run docs` writes the description to openapi.json.
 */
export function describeApi(): OpenApiDocument {
  return openApiDocument(routes, ownVersion())
}
