export { cacheResults, type CacheOptions } from './cache-results.ts'
export { createRegistry } from './create-registry.ts'
export { debounce, type DebounceOptions } from './debounce.ts'
export type { DiscoveredMethod, DiscoveredToolkit, MethodFilter } from './discover.ts'
export { toExecuteOptions } from './execute-options.ts'
export type { ResolvedConfig, ToolCallConfig } from './tool-call-config.ts'
export {
  type MethodParameter,
  type Method,
  type Toolkit,
  type DescribedInstance,
  toToolkit,
} from './toolkit.ts'
export type { AddOptions, Middleware, MiddlewareContext, Registry } from './registry.ts'
export { retryTools, type RetryOptions } from './retry-tools.ts'
