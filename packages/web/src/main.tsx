import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ClientContext } from '@toolglot/react'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { client } from './app/client.ts'
import { onKeyDown } from './app/commands.ts'
import { router } from './app/router.tsx'
import { Session } from './app/session.tsx'
import './app/theme.ts'
import './styles/main.css'
import { Toasts } from './ui/toasts.tsx'
import { WordsProvider } from './words/words.ts'

// Libraries that add a style element get the nonce from here.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? '')
addEventListener('keydown', onKeyDown)

const queries = new QueryClient({
  defaultOptions: {
    // The server may be on this machine, so requests also work offline.
    queries: {
      retry: false,
      staleTime: 5000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <WordsProvider>
      <QueryClientProvider client={queries}>
        <ClientContext value={client}>
          <Toasts>
            <Session>
              <RouterProvider router={router} />
            </Session>
          </Toasts>
        </ClientContext>
      </QueryClientProvider>
    </WordsProvider>
  </StrictMode>,
)
