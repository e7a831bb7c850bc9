import { formatResultsForContext, processToolCallCycle } from './executor.ts'
import {
  createToolDiscoveryService,
  hasToolCallingEnabled,
  type ToolDiscoveryService,
} from './discovery.ts'
import type {
  OnBeforeExecute,
  ToolCallConfig,
  ToolCallCycleResult,
  ToolExecutionResult,
} from './registry.ts'

/** The functions that a chat needs to let a model call this program's tools. */
export interface ToolCalling {
  /** Reads the calls of a reply and runs them. Finds none if tools are disabled. */
  readonly processCycle: (
    text: string,
    config: ToolCallConfig,
    onBeforeExecute?: OnBeforeExecute,
  ) => Promise<ToolCallCycleResult>
  /** Prints results for the model. */
  readonly formatCycleResults: typeof formatResultsForContext
  /** The prompt that describes the tools, or empty if they are disabled. */
  readonly generateToolsPrompt: (config: ToolCallConfig, agentId?: string) => string
  readonly getDiscoveredMethods: ToolDiscoveryService['getDiscoveredMethods']
  readonly invalidateDiscoveryCache: () => void
  readonly hasToolCallingEnabled: typeof hasToolCallingEnabled
}

/** Shared by all callers, so that each prompt is created only once. */
const toolDiscovery = createToolDiscoveryService()

/** The functions that a chat calls. */
export function useToolCalling(): ToolCalling {
  return {
    processCycle(text, given, onBeforeExecute) {
      const config = { ...given, enabled: given?.enabled ?? false }
      return processToolCallCycle(text, { config, onBeforeExecute })
    },
    formatCycleResults: formatResultsForContext,
    generateToolsPrompt: (config, agentId) => toolDiscovery.generatePrompt({ config, agentId }),
    getDiscoveredMethods: (filter) => toolDiscovery.getDiscoveredMethods(filter),
    invalidateDiscoveryCache: () => toolDiscovery.invalidateCache(),
    hasToolCallingEnabled,
  }
}

/** A message of a chat, with its data about calls. */
export interface ToolCallNode {
  readonly role: 'assistant' | 'tool'
  readonly content: string
  readonly metadata: {
    /** The calls in a reply. */
    readonly toolCallsRequested?: ToolCallCycleResult['parsedRequests']
    /** The result of a call. */
    readonly toolCall?: ToolExecutionResult
  }
}

/** The messages that a cycle adds to a chat: the reply, then the result of each call. */
export function toToolCallNodes(
  assistantText: string,
  { parsedRequests, executionResults }: ToolCallCycleResult,
  protocolId?: string,
): ToolCallNode[] {
  const metadata = parsedRequests.length > 0 ? { toolCallsRequested: parsedRequests } : {}
  return [
    { role: 'assistant', content: assistantText, metadata },
    ...executionResults.map((toolCall) => ({
      role: 'tool' as const,
      content: formatResultsForContext([toolCall], protocolId),
      metadata: { toolCall },
    })),
  ]
}
