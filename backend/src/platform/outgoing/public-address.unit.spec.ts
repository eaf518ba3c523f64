import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

const inside = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.255.254 169.254.0.1
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
  ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:10::1 2001:20::1
  2001:db8::1 2002:7f00:1:: 2002:a00:1:: 3fff::1 4000::1 5f00::1 fc00::1 fd00::1 fd12:3456::1 fe80::1 fe80::1%eth0
  febf::1 fec0::1 ff02::1 ff0e::1`

const outside = `
  1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.167.0.1 223.255.255.255
  2606:4700:4700::1111 2a00:1450:4001:81b::200e ::ffff:8.8.8.8`

describe('which addresses are public', () => {
  it.each(inside.trim().split(/\s+/))('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
  it.each(outside.trim().split(/\s+/))('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each(['', 'localhost', 'example.org', '[::1]', '1.2.3.4.5', '127.0.0.1:80'])(
    'takes %j for no address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )
})
