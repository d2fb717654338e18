import { leavesLittleBehind } from './left-behind.ts'

leavesLittleBehind(100_000)
