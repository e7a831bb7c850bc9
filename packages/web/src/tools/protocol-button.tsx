import type { ReactNode } from 'react'
import { useState } from 'react'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'

/** Chooses among all protocols: the built-in ones and the person's own. */
export function ProtocolButton({
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
      options={data.map(({ id, about, own }) => ({
        value: id,
        label: (
          <span className="mono">
            <VisibleText text={id} />
          </span>
        ),
        about: <VisibleText text={about} />,
        keywords: [about],
        group: own ? t('compose.protocol.own') : t('compose.protocol.builtIn'),
      }))}
      trigger={
        <button
          type="button"
          className="pick"
          aria-label={`${t('compose.protocol')}: ${protocol}`}
          title={t('compose.choose.protocol')}
        >
          <Icon name="parser" />
          <span className="mono cut">
            <VisibleText text={protocol} />
          </span>
          <Icon name="updown" />
        </button>
      }
    />
  )
}
