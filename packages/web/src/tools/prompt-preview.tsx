import { useMemo, useState, type ReactNode } from 'react'
import { Loaded } from '../app/loaded.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { LongText } from '../ui/long-text.tsx'
import { Segments } from '../ui/segments.tsx'
import { useWords } from '../words/words.ts'
import { type ListedTool, listOf, membersOf, resolved } from './listed-tool.ts'
import { isObject, type LooseSchema } from '../schema/resolve-schema.ts'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ApiAnswer } from '@toolglot/server/client'
import { useClient } from '@toolglot/react'
import { protocolOption } from '../compose/protocol-picker.tsx'

const MAX_DEPTH = 4

/** The protocol in which prompts are shown. */
export interface PromptChoice {
  readonly protocol: string
  readonly setProtocol: (protocol: string) => void
  /** Changes whenever the tools change. */
  readonly version: number
}

/** The prompt for one tool or all enabled tools, in any protocol, with its size. */
export function PromptPreview({
  tool,
  prompt: { protocol, setProtocol, version },
}: {
  /** If missing, all enabled tools are included. */
  readonly tool?: ListedTool
  readonly prompt: PromptChoice
}): ReactNode {
  const { t, number } = useWords()
  const [which, setWhich] = useState<'one' | 'all'>('one')
  const isOne = tool !== undefined && which === 'one'
  const call = useMemo(
    () => tool && { name: tool.name, arguments: exampleArguments(tool.parameters) },
    [tool],
  )
  const query = usePrompt({
    protocol,
    version,
    names: isOne ? [tool.name] : undefined,
    call,
  })
  return (
    <section className="grid min-w-0 gap-[7px]" aria-busy={query.isPlaceholderData}>
      <div className="cluster">
        <h3 className="font-580">{t('tools.prompt')}</h3>
        <span className="min-w-0 flex-1" />
        {tool && (
          <Segments
            label={t('tools.prompt.which')}
            value={which}
            onChange={setWhich}
            options={[
              { value: 'one', label: t('tools.prompt.one') },
              { value: 'all', label: t('tools.prompt.all') },
            ]}
          />
        )}
      </div>
      <div className="cluster">
        <ProtocolButton protocol={protocol} onChange={setProtocol} />
        {query.data && (
          <span className="text-ink-3 tabular-nums">
            {t('tools.prompt.size', {
              characters: number(query.data.characters),
              tokens: number(query.data.tokens),
            })}
          </span>
        )}
        <span className="min-w-0 flex-1" />
        {query.data && <CopyButton text={query.data.prompt} label={t('tools.prompt.copy')} />}
      </div>
      <Loaded query={query}>
        {({ prompt: text, call: printed }) => (
          <>
            {text === '' ? (
              <p className="text-ink-2">{t('tools.prompt.none')}</p>
            ) : (
              <LongText
                key={`${protocol} ${which}`}
                text={text}
                className={`wire min-w-0 ${tool ? 'max-h-[280px] overflow-auto' : ''}`}
                label={t('tools.prompt')}
              />
            )}
            {printed !== undefined && (
              <>
                <h3 className="font-580">{t('tools.call')}</h3>
                <LongText
                  text={printed}
                  className="wire max-h-[280px] min-w-0 overflow-auto"
                  label={t('tools.call')}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Example arguments for a tool: the required ones, or else the first. */
export function exampleArguments(parameters: unknown): Readonly<Record<string, unknown>> {
  const root = isObject(parameters) ? parameters : {}
  return objectOf(resolved(root, root), root, 0)
}

function objectOf(
  schema: LooseSchema | boolean,
  root: LooseSchema,
  depth: number,
): Readonly<Record<string, unknown>> {
  if (typeof schema === 'boolean') return {}
  const required = new Set(listOf(schema['required']))
  const all = membersOf(schema['properties'])
  const needed = all.filter(([name]) => required.has(name)).slice(0, depth === 0 ? 20 : 5)
  const shown = needed.length > 0 ? needed : all.slice(0, 1)
  return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(each, root, depth + 1)]))
}

function exampleOf(value: unknown, root: LooseSchema, depth: number): unknown {
  const schema = resolved(value, root)
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return 'value'
  const [example] = listOf(schema['examples'])
  const [choice] = listOf(schema['enum'])
  for (const given of [example, schema['default'], schema['const'], choice])
    if (given !== undefined) return given
  const [other] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (other !== undefined) return exampleOf(other, root, depth + 1)
  const type = [schema['type']].flat()[0]
  if (type === 'array' || 'items' in schema) return [exampleOf(schema['items'], root, depth + 1)]
  if (type === 'object' || 'properties' in schema) return objectOf(schema, root, depth)
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'integer' || type === 'number')
    return typeof schema['minimum'] === 'number' ? Math.max(1, schema['minimum']) : 1
  return 'value'
}

/** Selects a protocol: a built-in one or one of the user's own. */
function ProtocolButton({
  protocol,
  onChange,
}: {
  readonly protocol: string
  readonly onChange: (protocol: string) => void
}): ReactNode {
  const { t } = useWords()
  const { folder } = useFolder()
  const [isOpen, setOpen] = useState(false)
  const { data = [] } = useApi(
    'GET /api/protocols',
    { query: { folder } },
    { enabled: isOpen, staleTime: 60_000 },
  )
  return (
    <Picker
      label={t('compose.protocol.find')}
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      value={protocol}
      onChange={onChange}
      options={data.map((each) => protocolOption(each, t))}
      trigger={
        <button
          type="button"
          className="picker-button"
          aria-label={`${t('compose.protocol')}: ${protocol}`}
          title={t('compose.choose.protocol')}
        >
          <Icon name="parser" />
          <span className="min-w-0 truncate font-mono">
            <VisibleText text={protocol} />
          </span>
          <Icon name="updown" />
        </button>
      }
    />
  )
}

/** The tools to describe in the prompt. */
interface PromptOf {
  readonly protocol: string
  /** Default: the enabled tools. */
  readonly names?: readonly string[]
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  /** Changes whenever the tools change. */
  readonly version: number
}

/** The prompt for tools in a protocol, with its size. */
export function usePrompt({
  protocol,
  names,
  call,
  version,
}: PromptOf): UseQueryResult<ApiAnswer<'POST /api/protocols/:id/prompt'>> {
  const client = useClient()
  const { folder } = useFolder()
  const body = { folder, names, call }
  return useQuery({
    queryKey: ['prompt', protocol, body, version],
    queryFn: ({ signal }) =>
      client.request('POST /api/protocols/:id/prompt', {
        parameters: { id: protocol },
        body,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
