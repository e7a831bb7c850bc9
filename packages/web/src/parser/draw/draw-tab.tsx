import { useRef } from 'react'
import type { ReactNode } from 'react'
import { draw, showText } from '../parser-store.ts'
import { DrawPane } from './draw-pane.tsx'
import { useCheckedPicture } from './use-checked-picture.ts'

/** The tab in which a protocol is drawn; what is beside it reads the reply with it. */
export function DrawTab({
  source,
  children,
}: {
  readonly source: string
  readonly children: ReactNode
}): ReactNode {
  const picture = useCheckedPicture(source)
  const beside = useRef<HTMLDivElement>(null)
  return (
    <>
      <DrawPane
        source={source}
        {...picture}
        onChange={draw}
        onTry={(text) => {
          showText(text)
          beside.current?.scrollIntoView({ block: 'nearest' })
        }}
      />
      <div className="draw-beside" ref={beside}>
        {children}
      </div>
    </>
  )
}
