export { gatewayParameters } from './apis.ts'
export { GatewayError } from './gateway-error.ts'
export type { GatewayModel, GatewayModels, ListedModel } from './models.ts'
export type { GatewayReport } from './report.ts'
export {
  createGateway,
  type Gateway,
  type GatewayClient,
  type GatewayOptions,
  type GatewayRoute,
} from './gateway.ts'
