import { describe } from 'node:test'
import { goesAlong } from './round-trip.ts'

describe('A tenant with its archive', () => {
  goesAlong({ from: ['sqlite', 'sqlite'], to: ['postgres', 'shared'] })
  goesAlong({ from: ['postgres', 'shared'], to: ['sqlite', 'postgres'] })
})
