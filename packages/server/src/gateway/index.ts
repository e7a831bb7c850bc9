export { GatewayError } from './gateway-error.ts'
export type { GatewayModel, GatewayModels, ListedModel } from './models.ts'
export type { GatewayReport } from './report.ts'
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
