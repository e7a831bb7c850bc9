/** Whether a reason says more than that a rule decided: the rule itself is shown anyway. */
export function saysMore(why: string): boolean {
  return !/^the rule .* (?:allows it|requires approval|denies it)$/s.test(why)
}
