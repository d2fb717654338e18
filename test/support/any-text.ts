import fc, { type Arbitrary } from 'fast-check'

const points: Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0x01, max: 0x7f }) },
  { weight: 3, arbitrary: fc.integer({ min: 0x80, max: 0xd7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0xffff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x1_0000, max: 0x10_ffff }) },
)

/** Every character that both databases can keep: all of Unicode but null and the halves of surrogate pairs. */
const character = points.map((point) => String.fromCodePoint(point))

/** Text of any characters. The unit `binary` of fast-check would do, but takes seconds to set up. */
export function anyText(maxLength: number): Arbitrary<string> {
  return fc.string({ unit: character, maxLength })
}
