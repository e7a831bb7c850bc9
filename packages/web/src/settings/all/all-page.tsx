import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { Loaded } from '../../app/loaded.tsx'
import { PageFrame } from '../page-frame.tsx'
import { useSettings } from '../use-settings.ts'
import { AnySetting } from './any-setting.tsx'

/** All settings there are, with their values and where each is written. */
export default function AllPage(): ReactNode {
  const { t } = useWords()
  const settings = useSettings()
  return (
    <PageFrame title={t('settings.page.all')} about={t('settings.all.about')}>
      <Loaded query={settings}>
        {(loaded) => (
          <div className="card">
            {loaded.keys.map((key) => (
              <AnySetting key={key.key} setting={key} settings={loaded} />
            ))}
          </div>
        )}
      </Loaded>
    </PageFrame>
  )
}
