import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { type ParameterRow, parameterRows } from './parameter-rows.ts'
import { chipClass } from '../ui/chip.tsx'

const MAX_ABOUT = 1000

/** The parameters of a tool, with what is inside of them. */
export function ParameterTable({ schema }: { readonly schema: unknown }): ReactNode {
  const { t } = useWords()
  const { rows, isCut } = useMemo(() => parameterRows(schema), [schema])
  if (rows.length === 0) return <p className="text-ink-2">{t('tools.parameters.none')}</p>
  return (
    <>
      <table className="params">
        <thead>
          <tr>
            <th scope="col">{t('tools.parameter')}</th>
            <th scope="col">{t('tools.meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {isCut && <p className="text-ink-2">{t('tools.cut')}</p>}
    </>
  )
}

function Row({ row }: { readonly row: ParameterRow }): ReactNode {
  const { t } = useWords()
  const { name, depth, type, isRequired, about, choices, moreChoices, limits } = row
  return (
    <tr>
      <td
        style={{ paddingLeft: depth * 14 }}
        className={`${depth > 0 ? 'member' : ''} ${name.length > 24 ? 'long' : ''}`}
      >
        {depth > 0 && <span className="sr-only">{t('tools.member', { depth })} </span>}
        <VisibleText text={name.slice(0, 120)} />
        {isRequired && (
          <>
            {' '}
            <span className="req" title={t('tools.required')} aria-hidden>
              *
            </span>
            <span className="sr-only">{t('tools.required')}</span>
          </>
        )}{' '}
        <span className="type">
          <VisibleText text={type} />
        </span>
        {limits.map(({ of, text }) => (
          <span className={`bound ${text.length > 18 ? 'long' : ''}`} key={`${of} ${text}`}>
            <VisibleText text={of === 'value' ? text : t(`tools.limit.${of}`, { range: text })} />
          </span>
        ))}
      </td>
      <td>
        <VisibleText text={about.slice(0, MAX_ABOUT)} />
        {choices.length > 0 && (
          <span className="choices">
            <span className="sr-only">{t('tools.choices')}</span>
            {choices.map((choice, at) => (
              <code className={chipClass({ mono: true })} key={at}>
                <VisibleText text={choice} />
              </code>
            ))}
            {moreChoices > 0 && (
              <span className="text-ink-3">{t('tools.choices.more', { count: moreChoices })}</span>
            )}
          </span>
        )}
        {row.default !== undefined && (
          <span className="text-ink-3 block">
            <VisibleText text={t('tools.default', { value: row.default })} />
          </span>
        )}
      </td>
    </tr>
  )
}
