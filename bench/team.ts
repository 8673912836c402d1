// `npm run bench:team [-- --growth=1,10] [--reach=500] [--minutes=10] [--hops]`: a PostgreSQL store as it grows, and many sessions over
// three gateways behind nginx. Times depend on the machine; errors do not.
import { measureGrowth } from './team/growth.ts'
import { measureReach } from './team/reach.ts'

const [upstream = '', proxy = '', command = '', heapProbe = '', ...args] = process.argv.slice(2)

function option(name: string): string | null {
  const given = args.find((each) => each === `--${name}` || each.startsWith(`--${name}=`))
  return given === undefined ? null : given.slice(name.length + 3)
}

const [growth, reach] = [option('growth'), option('reach')]
const isAll = growth === null && reach === null
if (isAll || growth !== null)
  for await (const line of measureGrowth((growth || '1,10').split(',').map(Number)))
    console.log(line)
if (isAll || reach !== null) {
  const programs = { upstream, proxy, command, heapProbe }
  const minutes = Number(option('minutes') || 10)
  const sessions = Number(reach || 500)
  const hops = option('hops') !== null
  for (const line of await measureReach({ sessions, minutes, hops, programs })) console.log(line)
}
