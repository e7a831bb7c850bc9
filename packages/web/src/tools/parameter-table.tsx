import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { type ParameterRow, parameterRows } from './parameter-rows.ts'
import { chipClass } from '../ui/chip.tsx'

const MAX_ABOUT = 1000

/** The parameters of a tool with their members. */
export function ParameterTable({ schema }: { readonly schema: unknown }): ReactNode {
  const { t } = useWords()
  const { rows, isCut } = useMemo(() => parameterRows(schema), [schema])
  if (rows.length === 0) return <p className="text-ink-2">{t('tools.parameters.none')}</p>
  return (
    <>
      <table>
        <thead>
          <tr>
            <th className={HEAD} scope="col">
              {t('tools.parameter')}
            </th>
            <th className={HEAD} scope="col">
              {t('tools.meaning')}
            </th>
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

const CELL = 'border-t border-line py-1.5 pr-2.5 pl-0 text-left align-top wrap-anywhere'
const HEAD = 'pt-0 pr-2.5 pb-1.5 pl-0 text-left align-top text-11 font-560 wrap-anywhere text-ink-3'

function Row({ row }: { readonly row: ParameterRow }): ReactNode {
  const { t } = useWords()
  const { name, depth, type, isRequired, about, choices, moreChoices, limits } = row
  return (
    <tr>
      <td
        style={{ paddingLeft: depth * 14 }}
        className={`${CELL} w-[36%] min-w-[120px] font-code text-12 ${depth > 0 ? 'text-ink-2' : ''}`}
      >
        {depth > 0 && <span className="sr-only">{t('tools.member', { depth })} </span>}
        <VisibleText text={name.slice(0, 120)} />
        {isRequired && (
          <>
            {' '}
            <span className="text-no" title={t('tools.required')} aria-hidden>
              *
            </span>
            <span className="sr-only">{t('tools.required')}</span>
          </>
        )}{' '}
        <span className="block text-[11.5px] text-ink-2">
          <VisibleText text={type} />
        </span>
        {limits.map(({ of, text }) => (
          <span
            className={`block text-ink-3 ${text.length > 18 ? '' : 'whitespace-nowrap'}`}
            key={`${of} ${text}`}
          >
            <VisibleText text={of === 'value' ? text : t(`tools.limit.${of}`, { range: text })} />
          </span>
        ))}
      </td>
      <td className={CELL}>
        <VisibleText text={about.slice(0, MAX_ABOUT)} />
        {choices.length > 0 && (
          <span className="mt-[3px] flex flex-wrap items-center gap-1">
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
          <span className="block text-ink-3">
            <VisibleText text={t('tools.default', { value: row.default })} />
          </span>
        )}
      </td>
    </tr>
  )
}
