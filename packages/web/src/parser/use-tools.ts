import type { ToolDefinition } from '@toolglot/core'
import { useMemo } from 'react'
import type { ParserState } from './parser-store.ts'
import { absent, useSources } from './sources.ts'

/** The tools used to parse the reply. */
export interface UsedTools {
  readonly used: readonly ToolDefinition[] | undefined
  /** Why the tools of the folder are missing. */
  readonly error: string | undefined
  readonly hasFolder: boolean
  /** The tools are loading. */
  readonly isPending: boolean
}

/** The chosen tools. */
export function useTools({ tools, fileTools }: ParserState): UsedTools {
  const sources = useSources()
  const { useTools: useFolderTools = absent.useTools } = sources
  const { value, error } = useFolderTools()
  const hasFolder = sources.useTools !== undefined
  const used = tools === 'folder' ? value : tools === 'file' ? fileTools : undefined
  const isOfFolder = tools === 'folder' && hasFolder
  const isPending = isOfFolder && value === undefined && error === undefined
  const shownError = isOfFolder ? error : undefined
  return useMemo(
    () => ({ used, error: shownError, hasFolder, isPending }),
    [used, shownError, hasFolder, isPending],
  )
}
