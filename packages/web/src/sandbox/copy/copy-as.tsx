import { useMemo, useState, type ReactNode } from 'react'
import { errorText } from '../../app/use-api.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { Picker } from '../../ui/picker.tsx'
import { Segments } from '../../ui/segments.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { useRouter } from '@tanstack/react-router'
import { useToast } from '../../ui/toasts.tsx'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ProtocolId } from '@toolglot/core'
import { UNSEEN } from '../../ui/unseen.ts'
import { shellWord } from '../../app/shell-word.ts'
import { IconButton } from '../../ui/icon-button.tsx'

/** The part of core that prints calls in a protocol. Loaded on demand. */
interface Printer {
  readonly protocols: readonly string[]
  /** The call as a model would write it. Throws if the protocol cannot express it. */
  readonly print: (protocol: string, call: PrintedCall) => string
}

/** A call to print. */
interface PrintedCall {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** Notations that are not protocols. */
const OTHERS = ['curl', 'toolglot exec', 'JSON'] as const
const FAVOURITES = ['hermes', 'qwen3-coder', 'mistral']

function isOther(form: string): boolean {
  return (OTHERS as readonly string[]).includes(form)
}

/** The call in a selectable notation, for copying. */
export function CopyAs({ call }: { readonly call: CopiedCall }): ReactNode {
  const { t } = useWords()
  const [form, setForm] = useState('hermes')
  const printer = usePrinter()
  const written = useMemo(() => write(form, call, printer.data), [form, call, printer.data])
  const count = printer.data?.protocols.length
  const options = [
    ...OTHERS.map((value) => ({
      value: value as string,
      label: value,
      group: t('sandbox.copy.others'),
    })),
    ...(printer.data?.protocols ?? []).map((value) => ({
      value,
      label: <span className="font-mono">{value}</span>,
      group: t('sandbox.copy.protocols'),
    })),
  ]
  const listed = [...FAVOURITES, ...OTHERS]
  const shown = listed.includes(form) ? listed : [form, ...listed]
  return (
    <section className="grid min-w-0 gap-[7px] border-t border-line pt-3" aria-labelledby="copy-as">
      <div className="cluster">
        <h2 id="copy-as" className="font-580">
          {t('sandbox.copy')}
        </h2>
        <span className="min-w-0 flex-1" />
        <Picker
          label={t('sandbox.copy.find')}
          value={form}
          options={options}
          onChange={setForm}
          align="end"
          trigger={
            <button type="button" className="picker-button picker-button-quiet">
              {count === undefined ? t('sandbox.copy.find') : t('sandbox.copy.all', { count })}
              <Icon name="down" />
            </button>
          }
        />
        {'text' in written && !isOther(form) && (
          <ParserButton text={written.text} protocol={form} />
        )}
        {'text' in written && (
          <CopyButton text={written.text} className="button button-ghost button-small" />
        )}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-1">
        <Segments
          className="flex-wrap"
          label={t('sandbox.copy.as')}
          value={form}
          onChange={setForm}
          options={shown.map((value) => ({ value, label: value }))}
        />
      </div>
      {'text' in written ? (
        <LongText
          key={form}
          text={written.text}
          className="wire max-h-[40vh] overflow-auto"
          label={t('sandbox.copy.text', { form })}
        />
      ) : printer.error ? (
        <p className="fault">{errorText(printer.error)}</p>
      ) : 'error' in written ? (
        <p className="fault" role="status">
          <VisibleText text={written.error} />
        </p>
      ) : (
        <div className="skeleton" />
      )}
    </section>
  )
}

type Written = { readonly text: string } | { readonly error: string } | { readonly isLoading: true }

function write(form: string, call: CopiedCall, printer: Printer | undefined): Written {
  if (form === 'curl') return { text: asCurl(call, location.origin) }
  if (form === 'toolglot exec') return { text: asCommand(call) }
  if (form === 'JSON') return { text: asJson(call) }
  if (!printer) return { isLoading: true }
  try {
    return { text: printer.print(form, { name: call.tool, args: { ...call.args } }) }
  } catch (error) {
    return { error: errorText(error) }
  }
}

/** Opens the call in the Parser, as a model would write it. */
function ParserButton({
  text,
  protocol,
}: {
  readonly text: string
  readonly protocol: string
}): ReactNode {
  const { t } = useWords()
  const { history } = useRouter()
  const toast = useToast()
  const open = async (): Promise<void> => {
    const { parserLink } = await import('../../parser/parser-link.ts')
    const link = await parserLink(text, { protocol })
    if (link === undefined) toast({ title: t('sandbox.copy.tooLong'), kind: 'no' })
    else history.push(link)
  }
  return <IconButton icon="parser" label={t('sandbox.copy.parser')} onClick={() => void open()} />
}

/** Loads the printer. */
function usePrinter(): UseQueryResult<Printer> {
  return useQuery({
    queryKey: ['printer'],
    queryFn: async (): Promise<Printer> => {
      const { printCall, protocols } = await import('@toolglot/core')
      return {
        protocols: Object.keys(protocols),
        print: (protocol, call) => printCall(protocol as ProtocolId, call),
      }
    },
    staleTime: Infinity,
    gcTime: Infinity,
  })
}

/** A call to copy. */
interface CopiedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Undefined for the server's own. */
  readonly folder: string | undefined
}

/** The JSON that the API accepts. */
export function asJson({ tool, args }: CopiedCall): string {
  return JSON.stringify({ tool_name: tool, arguments: args }, null, 2)
}

/** A curl command for this server, without the token. */
export function asCurl({ tool, args, folder }: CopiedCall, origin: string): string {
  const body = plainJson({
    tool_name: tool,
    arguments: args,
    folder,
  })
  return [
    `curl -sS ${shellWord(`${origin}/api/tools/execute`)}`,
    `-H "Authorization: Bearer $TOOLGLOT_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(body)}`,
  ].join(' \\\n  ')
}

/** A command line that needs no server. */
export function asCommand({ tool, args, folder }: CopiedCall): string {
  const words = ['toolglot', 'exec', shellWord(visible(tool)), shellWord(plainJson(args))]
  if (folder !== undefined) words.push('--cwd', shellWord(folder))
  return words.join(' ')
}

/** One-line JSON in which all characters are visible. */
function plainJson(value: unknown): string {
  return visible(JSON.stringify(value))
}

/** JSON text with invisible characters as escapes, which has the same value. */
function visible(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
