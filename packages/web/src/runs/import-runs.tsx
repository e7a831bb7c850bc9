import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '@toolglot/server/client'
import { useRef } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { errorText } from '../app/error-text.ts'
import { useDo } from '../app/use-api.ts'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'

/** What the server takes at most, in bytes. */
const MAX_SIZE = 60 << 20

/** Reads exported runs from a file. */
export function useImport(): (file: File | undefined) => void {
  const { t, number } = useWords()
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate } = useDo('POST /api/runs/import', ['GET /api/runs'])
  const fail = (text: string): void => {
    toast({ title: t('runs.import.failed'), text, kind: 'no' })
  }
  return (file) => {
    if (!file) return
    if (file.size > MAX_SIZE)
      return fail(t('runs.import.large', { size: number(MAX_SIZE / (1 << 20)) }))
    file.text().then(
      (lines) =>
        mutate(
          { body: { lines } },
          {
            onSuccess({ runs }) {
              toast({
                title: t('runs.import.done', { count: runs.length }),
                text: t('runs.import.done.about'),
              })
              const [run] = runs
              if (run !== undefined)
                void navigate({ to: '/runs/$run', params: { run }, search: {} })
            },
            onError: (error) => fail(explain(error, t('runs.import.version'))),
          },
        ),
      (error: unknown) => fail(String(error)),
    )
  }
}

/** What the server says about the file, and what to do. */
function explain(error: Error, aboutVersion: string): string {
  if (!(error instanceof ApiError)) return errorText(error)
  const isVersion = /expected version \d/.test(error.detail)
  return [error.detail, isVersion ? aboutVersion : error.action].filter(Boolean).join('\n')
}

/** Chooses a file to import. */
export function ImportButton({
  onFile,
}: {
  readonly onFile: (file: File | undefined) => void
}): ReactNode {
  const { t } = useWords()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".jsonl,.ndjson,.json,.txt"
        className="hidden"
        aria-label={t('runs.import.file')}
        onChange={({ target }) => {
          onFile(target.files?.[0])
          target.value = ''
        }}
      />
      <button
        type="button"
        className="btn ghost"
        title={t('runs.import.about')}
        aria-label={t('runs.import')}
        onClick={() => field.current?.click()}
      >
        <Icon name="export" />
        <span>{t('runs.import')}</span>
      </button>
    </>
  )
}

/** Lets somebody drop a file anywhere in the view. */
export function dropProps(onFile: (file: File | undefined) => void): {
  readonly onDragOver: (event: DragEvent) => void
  readonly onDrop: (event: DragEvent) => void
} {
  const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
  return {
    onDragOver(event) {
      if (hasFile(event)) event.preventDefault()
    },
    onDrop(event) {
      if (!hasFile(event)) return
      event.preventDefault()
      onFile(event.dataTransfer.files[0])
    },
  }
}
