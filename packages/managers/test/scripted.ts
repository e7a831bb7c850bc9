import { type Mock, vi } from 'vitest'
import type { ILLMManager } from '../src/index.ts'

/** A fake LLM manager that gives these replies, one after the other. */
export function scripted(...replies: string[]): { readonly call: Mock<ILLMManager['call']> } {
  const call = vi.fn<ILLMManager['call']>()
  for (const reply of replies) call.mockResolvedValueOnce(reply)
  return { call }
}

/** A call as a model writes it. */
export function writtenCall(tool: string, args: object = {}): string {
  return `<PTK_CALL>${JSON.stringify({ tool, args })}</PTK_CALL>`
}
