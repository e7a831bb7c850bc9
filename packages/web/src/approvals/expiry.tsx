import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { timeLeft } from './time-left.ts'

/** For how long a request still waits. It is drawn again only when it reads differently. */
export function Expiry({ expires }: { readonly expires: number }): ReactNode {
  const { t, number } = useWords()
  const [now, setNow] = useState(Date.now)
  const left = timeLeft(expires - now)
  const changesIn = left?.changesIn
  useEffect(() => {
    if (changesIn === undefined) return
    const timer = setTimeout(() => setNow(Date.now()), changesIn)
    return () => clearTimeout(timer)
  }, [changesIn, now])
  if (!left) return <p className="dim">{t('approvals.expired')}</p>
  const time = number(left.value, { style: 'unit', unit: left.unit, unitDisplay: 'long' })
  return <p className="dim-2 num">{t('approvals.expires', { time })}</p>
}
