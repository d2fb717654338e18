import { runsOf } from '../support/run/extent.ts'
import { survivesKills } from './durability.ts'

survivesKills(runsOf(1, 2))
