import { crc32 } from 'node:zlib';
export interface Frame {
	/** A PNG; all of a film have the same size. */
	picture: Buffer;
	ms: number;
}

/** Makes an animated PNG that repeats itself. A program that knows only PNG shows its first picture. Throws without pictures. */
export function filmOf(frames: readonly Frame[]): Buffer {
	const [first] = frames;
	if (first === undefined) throw new Error('The film has no pictures');
	const header = dataOf(first.picture, 'IHDR');
	const size = header.subarray(0, 8);
	let sequence = 0;
	const parts = frames.flatMap(({ picture, ms }, index) => {
		const delay = Buffer.from([ms >> 8, ms & 0xff, 1000 >> 8, 1000 & 0xff]);
		const control = chunk(
			'fcTL',
			integers(sequence++),
			size,
			integers(0, 0),
			delay,
			Buffer.alloc(2),
		);
		const data = dataOf(picture, 'IDAT');
		const shown = index === 0 ? chunk('IDAT', data) : chunk('fdAT', integers(sequence++), data);
		return [control, shown];
	});
	const signature = first.picture.subarray(0, 8);
	const animation = chunk('acTL', integers(frames.length, 0));
	return Buffer.concat([signature, chunk('IHDR', header), animation, ...parts, chunk('IEND')]);
}

function dataOf(png: Buffer, type: string): Buffer {
	const found: Buffer[] = [];
	for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
		const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
		if (png.toString('latin1', at + 4, at + 8) === type) found.push(data);
	}
	return Buffer.concat(found);
}

function chunk(type: string, ...data: readonly Buffer[]): Buffer {
	const content = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
	return Buffer.concat([integers(content.length - 4), content, integers(crc32(content))]);
}

/** Whole numbers of four bytes. */
function integers(...values: readonly number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
	return bytes;
}
