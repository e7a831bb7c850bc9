export { cacheResults, type CacheOptions } from './cache-results.ts'
export { createRegistry } from './create-registry.ts'
export { debounce, type DebounceOptions } from './debounce.ts'
export type { DiscoveredMethod, DiscoveredToolkit, MethodFilter } from './discover.ts'
export {
  toExecuteOptions,
  type AddOptions,
  type Middleware,
  type MiddlewareContext,
  type Registry,
} from './registry.ts'
export type { ResolvedConfig, ToolCallConfig } from './tool-call-config.ts'
export {
  type MethodParameter,
  type Method,
  type Toolkit,
  type DescribedInstance,
  toToolkit,
} from './toolkit.ts'
export { retryTools, type RetryOptions } from './retry-tools.ts'
