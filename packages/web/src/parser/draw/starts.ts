import arrow from './starts/arrow.ts?raw'
import lines from './starts/lines.ts?raw'
import list from './starts/list.ts?raw'
import tags from './starts/tags.ts?raw'

/**
 * Templates for new protocols, as the texts of their files. The first one is shown until the user
 * draws their own.
 */
export const STARTS = [
  { id: 'arrow', label: 'draw.start.arrow', source: arrow },
  { id: 'tags', label: 'draw.start.tags', source: tags },
  { id: 'list', label: 'draw.start.list', source: list },
  { id: 'lines', label: 'draw.start.lines', source: lines },
] as const
