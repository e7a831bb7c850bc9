import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Closable, createIdlePool, type IdlePool, type PoolPlace } from './idle-pool.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Lets all ready work finish. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

/** A resource that records its state. */
class Thing implements Closable {
  closed = 0
  users = 0
  readonly version: string
  constructor(version: string) {
    this.version = version
  }
  async close(): Promise<void> {
    expect(this.users, 'nobody uses it').toBe(0)
    this.closed++
  }
}

interface Use {
  readonly key: string
  thing: Thing | undefined
  end(): void
}

/** Opens and uses resources, step by step, and checks each step. */
class World {
  readonly things: { key: string; thing: Thing }[] = []
  readonly opening: { settle(): void }[] = []
  readonly uses = new Set<Use>()
  readonly pool: IdlePool<Thing>
  readonly errors: unknown[] = []
  constructor(idle: number, max: number) {
    this.pool = createIdlePool({ idle, max, onError: (error) => this.errors.push(error) })
  }

  use(key: string, version: string, fails: boolean): void {
    const open = (): Promise<Thing> =>
      new Promise((resolve, reject) => {
        this.opening.push({
          settle: () => {
            if (fails) return reject(new Error('It does not open.'))
            const thing = new Thing(version)
            this.things.push({ key, thing })
            resolve(thing)
          },
        })
      })
    const done = this.pool.use({ key, folder: `/${key}`, version }, open, async (thing) => {
      expect(thing.closed, 'it is open').toBe(0)
      expect(thing.version).toBe(version)
      thing.users++
      await new Promise<void>((resolve) => {
        const use: Use = { key, thing, end: resolve }
        this.uses.add(use)
      })
      expect(thing.closed, 'it stays open').toBe(0)
      thing.users--
    })
    done.catch((error: Error) => expect(error.message).toMatch(/does not open|server is stopping/))
  }

  /** Open resources that are not in use. */
  get unused(): number {
    return this.things.filter(({ thing }) => thing.closed === 0 && thing.users === 0).length
  }

  async finish(): Promise<void> {
    await settle()
    while (this.opening.length > 0 || this.uses.size > 0) {
      this.opening.shift()?.settle()
      await settle()
      for (const use of this.uses) use.end()
      this.uses.clear()
      await settle()
    }
  }
}

type Step =
  | { readonly do: 'use'; readonly key: string; readonly version: string; readonly fails: boolean }
  | { readonly do: 'open' | 'end'; readonly at: number }
  | { readonly do: 'drop'; readonly key: string }
  | { readonly do: 'wait'; readonly time: number }

const key = fc.constantFrom('a', 'b', 'c', 'd')
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('use' as const),
        key,
        version: fc.constantFrom('1', '2'),
        fails: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'end' as const), at: fc.nat(9) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), key }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('wait' as const), time: fc.nat(1500) }),
    },
  ),
  { maxLength: 60 },
)

test('never uses a resource after it was closed, and closes every opened resource once', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(3), fc.nat(60), async (all, max, closeAt) => {
      const world = new World(1000, max)
      let closing: Promise<void> | undefined
      let isClosed = false
      for (const [index, step] of all.entries()) {
        if (index === closeAt)
          closing = world.pool.close().then(() => {
            isClosed = true
          })
        if (step.do === 'use') world.use(step.key, step.version, step.fails)
        if (step.do === 'drop') void world.pool.drop(step.key)
        if (step.do === 'wait') await vi.advanceTimersByTimeAsync(step.time)
        if (step.do === 'open') world.opening.splice(step.at, 1)[0]?.settle()
        if (step.do === 'end') {
          const use = [...world.uses][step.at]
          if (use) {
            world.uses.delete(use)
            use.end()
          }
        }
        await settle()
        expect(world.unused).toBeLessThanOrEqual(max)
        if (isClosed) expect(world.things.every(({ thing }) => thing.closed === 1)).toBe(true)
      }
      closing ??= world.pool.close()
      await world.finish()
      await closing
      expect(world.things.map(({ thing }) => thing.closed)).toEqual(world.things.map(() => 1))
      expect(world.errors).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
      await expect(
        world.pool.use(
          { key: 'a', folder: '/a', version: '1' },
          async () => new Thing('1'),
          async () => {},
        ),
      ).rejects.toMatchObject({ code: 'stopping', status: 503 })
    }),
    { numRuns: 300 },
  )
})

test('opens a resource once for all users, and keeps it open for a while', async () => {
  const world = new World(1000, 4)
  world.use('a', '1', false)
  world.use('a', '1', false)
  expect(world.opening).toHaveLength(1)
  await world.finish()
  await vi.advanceTimersByTimeAsync(999)
  world.use('a', '1', false)
  await world.finish()
  await vi.advanceTimersByTimeAsync(999)
  expect(world.things.map(({ thing }) => thing.closed)).toEqual([0])
  await vi.advanceTimersByTimeAsync(1)
  await settle()
  expect(world.things.map(({ thing }) => thing.closed)).toEqual([1])
})

test('opens another version while the old one is still in use', async () => {
  const world = new World(1000, 4)
  world.use('a', '1', false)
  world.opening.shift()?.settle()
  await settle()
  const [first] = world.uses
  world.use('a', '2', false)
  world.opening.shift()?.settle()
  await settle()
  expect(world.things.map(({ thing }) => [thing.version, thing.users, thing.closed])).toEqual([
    ['1', 1, 0],
    ['2', 1, 0],
  ])
  first?.end()
  await settle()
  expect(world.things.map(({ thing }) => thing.closed)).toEqual([1, 0])
  await world.finish()
  await world.pool.close()
})

test('reopens a resource after a failure, which only its caller gets', async () => {
  const world = new World(1000, 4)
  world.use('a', '1', true)
  await world.finish()
  world.use('a', '1', false)
  await world.finish()
  expect([world.things.length, world.errors]).toEqual([1, []])
  await world.pool.close()
})

test('waits for resources in use before closing, including replaced ones', async () => {
  const world = new World(1000, 4)
  world.use('a', '1', false)
  world.opening.shift()?.settle()
  await settle()
  world.use('a', '2', false)
  world.opening.shift()?.settle()
  await settle()
  let isClosed = false
  const closing = world.pool.close().then(() => (isClosed = true))
  await settle()
  expect(isClosed).toBe(false)
  const [first, second] = world.uses
  second?.end()
  await settle()
  expect(isClosed).toBe(false)
  first?.end()
  await closing
  expect(world.things.map(({ thing }) => thing.closed)).toEqual([1, 1])
})

test('reports a failed close, and closes the rest', async () => {
  const errors: unknown[] = []
  const pool = createIdlePool<Closable>({
    idle: 1000,
    max: 4,
    onError: (error) => errors.push(error),
  })
  const broken = new Error('It does not close.')
  let closed = 0
  const nothing = async (): Promise<void> => {}
  const place = (key: string): PoolPlace => ({ key, folder: '/', version: '' })
  await pool.use(place('a'), async () => ({ close: () => Promise.reject(broken) }), nothing)
  await pool.use(place('b'), async () => ({ close: async () => void closed++ }), nothing)
  await pool.close()
  expect([errors, closed]).toEqual([[broken], 1])
})

test('drops the resources of a folder and of those inside it; resources in use are closed afterwards', async () => {
  const world = new World(1000, 9)
  for (const key of ['a', 'a/b', 'a/c', 'ab', 'b']) world.use(key, '1', false)
  for (const opening of world.opening.splice(0)) opening.settle()
  await settle()
  const [, used] = world.uses
  for (const use of world.uses) if (use !== used) use.end()
  await settle()
  const closed = (): string[] =>
    world.things.flatMap(({ key: name, thing }) => (thing.closed > 0 ? [name] : []))
  await world.pool.dropInside('/a')
  expect(closed()).toEqual(['a', 'a/c'])
  world.use('a/b', '1', false)
  used?.end()
  await settle()
  expect(closed()).toEqual(['a', 'a/b', 'a/c'])
  expect(world.opening).toHaveLength(1)
  world.uses.clear()
  await world.finish()
  await world.pool.dropInside('/')
  expect(closed()).toHaveLength(6)
})
