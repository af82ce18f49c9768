struct flags { unsigned a : 3; };  //! c-bitfield Bit-fields
