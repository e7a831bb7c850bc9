import { useId, useState, type ReactNode } from 'react'
import { useApi, errorText } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { isObject } from '../../schema/resolve-schema.ts'
import { Icon } from '../../ui/icon.tsx'
import { Picker } from '../../ui/picker.tsx'
import { Segments } from '../../ui/segments.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { useWords } from '../../words/words.ts'
import { Explanation, usePermit, useSettled } from './explanation.tsx'
import { TryRule } from './try-rule.tsx'

/** The fields of a tool that determine its main argument. */
interface ToolWithParameters {
  readonly name: string
  readonly parameters: unknown
}

/** The tools that users most often ask about. */
const USUAL_TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'WebFetch'] as const

/** The arguments, or the JSON typed for them. */
type CallArguments =
  | { readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly argumentsText: string }

/** The call that the user asks about. */
interface Question {
  readonly tool: string
  readonly typed: string
  readonly isJson: boolean
}

const FIRST: Question = { tool: 'Bash', typed: 'git status && rm -rf build', isJson: false }
const ARGUMENTS: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  WebFetch: 'url',
}

/** Explains whether a call may run, updated while it is typed. */
export function ExplainCall(): ReactNode {
  const { t } = useWords()
  const id = useId()
  const { folder } = useFolder()
  const tools = useApi('GET /api/tools', { query: { folder } }, { staleTime: 60_000 })
  const [question, setQuestion] = useState(FIRST)
  const { tool, typed, isJson } = question
  const argumentOf = (name: string): string | undefined => {
    const listed = tools.data?.tools.find((each) => each.name === name)
    return listed ? mainArgument(listed) : ARGUMENTS[name]
  }
  const argument = argumentOf(tool)
  const asked = isJson ? undefined : argument
  const settled = useSettled(question)
  const call = callOf(settled.isJson ? undefined : argumentOf(settled.tool), settled.typed)
  const explained = usePermit({ tool: settled.tool, ...call }, call !== undefined)
  const names = new Set<string>([
    ...USUAL_TOOLS,
    ...(tools.data?.tools.map(({ name }) => name) ?? []),
  ])
  return (
    <section className="pane @container" aria-labelledby={`${id}-title`}>
      <div className="toolbar">
        <h2 id={`${id}-title`} className="font-600">
          {t('settings.explain')}
        </h2>
      </div>
      <div className="pane-content">
        <div className="grid gap-2">
          <div className="cluster">
            <Picker
              label={t('settings.explain.tool')}
              value={tool}
              options={[...names].map((value) => ({ value, label: <VisibleText text={value} /> }))}
              onChange={(next) =>
                setQuestion({
                  tool: next,
                  typed: next === tool ? typed : '',
                  isJson: argumentOf(next) === undefined,
                })
              }
              onOther={(next) => setQuestion({ tool: next, typed: '', isJson: true })}
              trigger={
                <button
                  type="button"
                  className="picker-button"
                  aria-label={`${t('settings.explain.tool')}: ${tool}`}
                >
                  <code className="min-w-0 truncate">
                    <VisibleText text={tool} />
                  </code>
                  <Icon name="down" />
                </button>
              }
            />
            <span className="ml-auto" />
            <Segments
              label={t('settings.explain.as')}
              value={asked === undefined ? 'json' : 'text'}
              onChange={(next) =>
                argument !== undefined &&
                setQuestion({
                  tool,
                  isJson: next === 'json',
                  typed: next === 'json' ? asJson(argument, typed) : fromJson(argument, typed),
                })
              }
              options={[
                {
                  value: 'text',
                  label: argument ?? t('settings.explain.text'),
                  disabled: argument === undefined,
                },
                { value: 'json', label: 'JSON' },
              ]}
            />
          </div>
          <textarea
            className="input input-tall"
            rows={2}
            aria-label={asked ?? t('settings.explain.json')}
            value={typed}
            spellCheck={false}
            autoComplete="off"
            placeholder={asked === undefined ? '{ … }' : ''}
            onChange={(event) => setQuestion({ ...question, typed: event.target.value })}
          />
        </div>
        {call === undefined || explained.error ? (
          <p className="fault" role="alert">
            {call === undefined ? (
              t('settings.explain.noObject')
            ) : (
              <VisibleText text={errorText(explained.error)} />
            )}
          </p>
        ) : (
          explained.data && (
            <>
              <Explanation
                explained={explained.data}
                text={settled.isJson ? undefined : settled.typed}
              />
              <TryRule question={{ tool: settled.tool, ...call }} explained={explained.data} />
            </>
          )
        )}
        <p className="text-ink-2">{t('settings.explain.nothingRuns')}</p>
      </div>
    </section>
  )
}

/**
 * The main argument of a tool: its first required string. Undefined if the arguments can only be
 * written as JSON.
 */
export function mainArgument({ parameters }: ToolWithParameters): string | undefined {
  const { required, properties } = (parameters ?? {}) as {
    readonly required?: unknown
    readonly properties?: unknown
  }
  const all = Object.entries((properties ?? {}) as Record<string, { readonly type?: unknown }>)
  const texts = all.flatMap(([name, given]) => (given?.type === 'string' ? [name] : []))
  const needed = Array.isArray(required) ? texts.filter((name) => required.includes(name)) : []
  return needed[0] ?? texts[0]
}

/** The call to send to the server; undefined until the typed text is a JSON object. */
export function callOf(argument: string | undefined, typed: string): CallArguments | undefined {
  if (argument !== undefined) return { arguments: { [argument]: typed } }
  const argumentsText = typed.trim() === '' ? '{}' : typed
  try {
    return isObject(JSON.parse(argumentsText)) ? { argumentsText } : undefined
  } catch {
    return undefined
  }
}

/** Converts the typed text to JSON, for switching between the two forms. */
export function asJson(argument: string, typed: string): string {
  return JSON.stringify({ [argument]: typed })
}

/** The main argument in a JSON text. */
export function fromJson(argument: string, typed: string): string {
  try {
    const value = (JSON.parse(typed) as Record<string, unknown> | null)?.[argument]
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}
