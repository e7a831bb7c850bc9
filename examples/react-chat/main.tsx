// A chat with tools and approvals in your own page. Start a server (npm start), and then:
//   TOOLGLOT_TOKEN="$(npx toolglot token)" npx vite examples/react-chat
import { createClient } from '@toolglot/server/client'
import { ClientContext, useChat, useRun } from '@toolglot/react'
import { type CallPart, callState } from '@toolglot/react/view'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'

function Chat(): ReactNode {
  const [id, setId] = useState<string>()
  const [draft, setDraft] = useState('')
  const { run, send, stop } = useChat({ run: id, onRun: setId })
  const turns = (run?.view.items ?? []).filter((item) => item.type === 'turn')
  return (
    <main>
      {turns.map(({ id: key, parts }) => (
        <section key={key}>
          {parts.map((part) => {
            if (part.type === 'text') return <p key={part.id}>{part.text}</p>
            if (part.type === 'call') return <Call key={part.id} run={id!} part={part} />
            return null
          })}
        </section>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send({ prompt: draft })
          setDraft('')
        }}
      >
        <input
          aria-label="Message"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <button type="submit">Send</button>
        {run?.view.state === 'working' && (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        )}
      </form>
    </main>
  )
}

function Call({ run, part }: { readonly run: string; readonly part: CallPart }): ReactNode {
  const { approve, deny } = useRun(run)
  const { key, request } = part.approval ?? {}
  const { parts = [], unprinted } = request?.decision ?? {}
  return (
    <div role="group" aria-label={part.name}>
      <code>{part.name}</code> {part.outcome?.status ?? callState(part)}
      <pre>{part.outcome?.text ?? JSON.stringify(part.call?.args, null, 2)}</pre>
      {key !== undefined && callState(part) === 'asking' && (
        <>
          {parts.map(({ what, why }) => (
            <pre key={`${what}: ${why}`}>
              {what}: {why}
            </pre>
          ))}
          {unprinted !== undefined && <p>Runs as written: {unprinted}</p>}
          <button type="button" onClick={() => void approve(key)}>
            Allow once
          </button>
          <button type="button" onClick={() => void deny(key)}>
            No
          </button>
        </>
      )}
    </div>
  )
}

createRoot(document.querySelector('#root')!).render(
  <ClientContext value={createClient({ url: location.origin })}>
    <Chat />
  </ClientContext>,
)
