import { useState } from 'react'
import { readStored, writeStored } from '../app/stored.ts'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'

const USUAL = 'hermes'
const STORED = 'toolglot-tools-protocol'

/** The protocol that prompts are shown in. It stays for the next time. */
export function useProtocolChoice(): readonly [string, (protocol: string) => void] {
  const [protocol, setProtocol] = useState(() => readStored(STORED) ?? USUAL)
  const { folder } = useFolder()
  const { data } = useApi(
    'GET /api/protocols',
    { query: { folder } },
    { enabled: protocol !== USUAL, staleTime: 60_000 },
  )
  // Another folder may not have it.
  const isUnknown = data !== undefined && !data.some(({ id }) => id === protocol)
  return [
    isUnknown ? USUAL : protocol,
    (next) => {
      writeStored(STORED, next)
      setProtocol(next)
    },
  ]
}
