import type { ReactNode } from 'react'
import '../styles/parser.css'
import { ParserPage } from './parser-page.tsx'
import { serverSources } from './server-sources.tsx'
import { SourcesContext } from './sources.ts'

/** The Parser, as a view of the page. */
export function ParserView(): ReactNode {
  return (
    <SourcesContext value={serverSources}>
      <ParserPage />
    </SourcesContext>
  )
}
