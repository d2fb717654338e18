import { survivesKills } from './durability.ts'

survivesKills(2)
