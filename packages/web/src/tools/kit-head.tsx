import type { ReactNode } from 'react'
import { Switch } from '../ui/switch.tsx'
import { spellUnseen } from '../ui/spell-unseen.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { kitName } from './own-toggles.ts'
import type { Toolkit } from './toolkits.ts'
import type { Toggles } from './use-toggles.ts'

/** The name of a toolkit, how many of its tools are on, and a switch for all of them if settings can name it. */
export function KitHead({
  kit,
  toggles,
}: {
  readonly kit: Toolkit
  readonly toggles: Toggles
}): ReactNode {
  const { t, number } = useWords()
  const { kind, name, builtIn, server, members } = kit
  const id =
    name === undefined ? undefined : kitName(kind === 'mcp' ? { server: name } : { toolkit: name })
  const enabled = members.filter(toggles.isOn).length
  return (
    <div className="kit-head">
      <h2 className="cut">
        {name === undefined ? (
          t(kind === 'own' ? 'tools.kit.own' : `tools.kit.${builtIn ?? 'other'}`)
        ) : (
          <VisibleText text={name} />
        )}
      </h2>
      {name !== undefined && (
        <span className="dim-2 cut">
          {t(kind === 'mcp' ? 'tools.kit.mcp' : 'tools.kit.toolkit')}
        </span>
      )}
      {server && server.state !== 'started' && (
        <span className={`chip ${server.state === 'failed' ? 'no' : 'line'}`}>
          {t(`settings.mcp.${server.state}`)}
        </span>
      )}
      <span className="grow" />
      {members.length > 0 && (
        <span className="dim-2 num">
          {t('tools.kit.count', {
            enabled: number(enabled),
            total: number(members.length),
          })}
        </span>
      )}
      {id !== undefined && members.length > 0 && (
        <Switch
          label={t('tools.kit.switch', { name: spellUnseen(name ?? '') })}
          checked={enabled > 0}
          onChange={(isOn) => toggles.toggleKit(id, members, isOn)}
        />
      )}
    </div>
  )
}
