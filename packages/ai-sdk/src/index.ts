export { repairToolCall, type RepairableToolCall, type ToolCallRepair } from './repair-tool-call.ts'
export { trustFacts, type TrustFacts } from './trust-facts.ts'
export {
  toolglot,
  type ToolglotMiddleware,
  type ToolglotOptions,
  type WrappedCall,
} from './toolglot.ts'
