import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onKeyDown } from '../../app/commands.ts'
import '../../app/theme.ts'
import '../../styles/main.css'
import { Toasts } from '../../ui/toasts.tsx'
import { WordsProvider } from '../../words/words.ts'
import { ParserPage } from '../parser-page.tsx'
import { SourcesContext } from '../sources.ts'
import { staticSources } from './static-sources.tsx'

// The Parser as one file, which needs no server.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? '')
addEventListener('keydown', onKeyDown)

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <WordsProvider>
      <Toasts>
        <SourcesContext value={staticSources}>
          <ParserPage />
        </SourcesContext>
      </Toasts>
    </WordsProvider>
  </StrictMode>,
)
