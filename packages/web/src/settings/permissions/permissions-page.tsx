import type { ReactNode } from 'react'
import { useApi } from '../../app/use-api.ts'
import { useFolder } from '../../folders/use-folder.ts'
import { Loaded } from '../../app/loaded.tsx'
import { useSettings } from '../use-settings.ts'
import { AddRule } from './add-rule.tsx'
import { ExplainCall } from './explain-call.tsx'
import { ModeBar } from './mode-bar.tsx'
import { RuleTable } from './rule-table.tsx'
import { listRules } from './rules.ts'
import { useState } from 'react'

/** What may run without asking, what asks, what never runs, and why. */
export default function PermissionsPage(): ReactNode {
  const { folder } = useFolder()
  const settings = useSettings()
  const lint = useApi('GET /api/permit/lint', { query: { folder } })
  const [isAdding, setAdding] = useState(false)
  return (
    <div className="perm">
      <div className="pane">
        <ModeBar settings={settings.data} isAdding={isAdding} setAdding={setAdding} />
        <div className="pad">
          {isAdding && <AddRule onDone={() => setAdding(false)} />}
          <Loaded query={settings}>
            {(loaded) => <RuleTable settings={loaded} rules={listRules(loaded, lint.data)} />}
          </Loaded>
        </div>
      </div>
      <ExplainCall />
    </div>
  )
}
