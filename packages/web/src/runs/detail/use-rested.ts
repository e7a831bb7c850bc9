import { useEffect, useState } from 'react'

/** How long something must stay the same, in milliseconds. */
const PAUSE = 250

/** What something was when it last stayed the same for a moment. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
